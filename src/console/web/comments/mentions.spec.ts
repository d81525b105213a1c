import { begunName, mentionsIn, whoBeginsSo } from './mentions.js';

const [grace, gracia, ada, otherAda, andre] = [
  { agent_id: 'agt_1', name: 'Grace Hopper' },
  { agent_id: 'agt_2', name: 'Grace' },
  { agent_id: 'agt_3', name: 'Ada Byron' },
  { agent_id: 'agt_4', name: 'Ada Byron' },
  { agent_id: 'agt_5', name: 'André Weil' },
];
const agents = [grace, gracia, ada, otherAda, andre];

describe('A name after an @', () => {
  it.each([
    ['@', ''],
    ['Ask @Gr', 'Gr'],
    ['Ask @Grace Ho', 'Grace Ho'],
    ['(@gr', 'gr'],
    ['a\n@Andr', 'Andr'],
  ])('is begun in %j', (before, letters) => expect(begunName(before)?.letters).toBe(letters));

  it.each(['', 'Ask', 'ada@acme', '@Grace is not here', '@Grace '])('is not begun in %j', (before) =>
    expect(begunName(before)).toBeNull(),
  );

  it.each([
    ['gr', [grace, gracia]],
    ['GRACE H', [grace]],
    ['hop', [grace]],
    ['andre', [andre]],
    ['x', []],
  ])('%j offers those of whose name a word begins so', (letters, found) =>
    expect(whoBeginsSo(agents, letters)).toEqual(found),
  );
});

describe('A comment mentions', () => {
  it.each([
    ['Ask @Grace Hopper, please', ['agt_1']],
    ['Ask @grace hopper.', ['agt_1']],
    ['Ask @Grace', ['agt_2']],
    ['@Grace and @Grace Hopper', ['agt_2', 'agt_1']],
    ['Ask @Gr', []],
    ['Ask @Gracelyn', []],
    ['Nobody', []],
  ])('those whom it names: %j', (body, ids) =>
    expect(mentionsIn({ body, mentioned: [] }, agents)).toEqual(ids),
  );

  it('of several by one name those who were chosen', () =>
    expect(mentionsIn({ body: '@Ada Byron', mentioned: ['agt_4'] }, agents)).toEqual(['agt_4']));

  it('nobody whose name was taken away again', () =>
    expect(mentionsIn({ body: 'Nobody', mentioned: ['agt_1'] }, agents)).toEqual([]));
});
