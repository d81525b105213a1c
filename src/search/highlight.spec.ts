import { highlightsIn } from './highlight.js';
import { type SearchDocument, type SearchField, tokensOf } from './search-document.js';
import { readQuery, wantedOf } from './search-query.js';

const documentOf = (field: SearchField): SearchDocument => ({
  type: 'message',
  title: '',
  conversation_id: null,
  occurred_at: '2026-01-01T00:00:00.000Z',
  agent_id: null,
  contact_ids: [],
  modality: null,
  fields: [field],
});

const found = (content: string, q: string): Promise<string | null> =>
  foundIn({ name: 'content', text: content }, q);

/** The field's text with its hits in brackets; null where the query does not find it. */
async function foundIn(field: SearchField, q: string): Promise<string | null> {
  const document = documentOf(field);
  const query = readQuery(q)!;
  const tokens = new Set(await tokensOf('org', document));
  const isCandidate = query.some((terms) =>
    wantedOf(terms).every(
      ({ anyOf, noneOf }) =>
        anyOf.some((all) => all.every((token) => tokens.has(token))) &&
        !noneOf.some((token) => tokens.has(token)),
    ),
  );
  if (!isCandidate) return null;
  const highlights = highlightsIn(document, query, { characters: 0, words: 0 });
  return highlights && highlights[0]!.text.replaceAll('\uE000', '[').replaceAll('\uE001', ']');
}

describe('a text without spaces is found by any two characters, also by those that fold to more', () => {
  it.each([
    ['ผมทำงานที่บ้าน', 'ทำ', 'ผม[ทำ]งานที่บ้าน'],
    ['ผมทำงานที่บ้าน', 'ทำงาน', 'ผม[ทำงาน]ที่บ้าน'],
    ['ผมทำงานที่บ้าน', 'ำง', 'ผมท[ำง]านที่บ้าน'],
    ['ทำงาน', 'ทำ', '[ทำ]งาน'],
    ['เขาจะทำ', 'ทำ', 'เขาจะ[ทำ]'],
    ['ดื่มน้ำเย็น', 'น้ำ', 'ดื่ม[น้ำ]เย็น'],
    ['คำถาม', 'คำ', '[คำ]ถาม'],
    ['ขอคำ', '"คำ"', 'ขอ[คำ]'],
    ['ຂ້ອຍທຳງານ', 'ທຳ', 'ຂ້ອຍ[ທຳ]ງານ'],
    ['ນ້ຳເຢັນ', 'ນ້ຳ', '[ນ້ຳ]ເຢັນ'],
    ['ຂໍຄຳ', 'ຄຳ', 'ຂໍ[ຄຳ]'],
    ['ສັດໝາ', 'ໝາ', 'ສັດ[ໝາ]'],
    ['ຢູ່ໃນໝວດ', 'ນໝ', 'ຢູ່ໃ[ນໝ]ວດ'],
    ['東京タワー', 'タワ', '東京[タワ]ー'],
  ])('%s by %s', async (content, q, expected) => expect(await found(content, q)).toBe(expected));

  it('as a single character it is the beginning of a pair', async () => {
    expect(await found('ทำงาน', 'ำ')).toBe('ท[ำง]าน');
    expect(await found('ຢູ່ໝວດ', 'ໝ')).toBe('ຢູ່[ໝວ]ດ');
  });

  it('without what must not be there', async () => {
    expect(await found('ผมทำงาน', 'ผม -ทำ')).toBe(null);
    expect(await found('ผมถาม', 'ผม -ทำ')).toBe('[ผม]ถาม');
  });
});

describe('a phone number is found by any formatting of the number that it is', () => {
  it.each([
    ['(212) 555-0187', '+12125550187', '+12125550187', '[(212) 555-0187]'],
    ['(212) 555-0187', '+12125550187', '+1 212 555-0187', '[(212) 555-0187]'],
    ['(212) 555-0187', '+12125550187', '0012125550187', '[(212) 555-0187]'],
    ['(212) 555-0187', '+12125550187', '1212', '[(212) 555-0187]'],
    ['(212) 555-0187', '+12125550187', '2125550187', '([212) 555-0187]'],
    ['(212) 555-0187', '+12125550187', '555-0187', '(212) [555-0187]'],
    ['+44 (0)20 7946 0958', '+442079460958', '+442079460958', '[+44 (0)20 7946 0958]'],
    ['0171 2345678', '+491712345678', '+49 171 234', '[0171 2345678]'],
    ['0171 2345678', '+491712345678', '0171 234', '[0171 234]5678'],
    ['(212) 555-0187', '+12125550187', '+22125550187', null],
    ['12345', null, '2345', '1[2345]'],
  ])('%s, known as %s, by %s', async (text, key, q, expected) =>
    expect(await foundIn({ name: 'phone_number', text, kind: 'number', key }, q)).toBe(expected),
  );
});
