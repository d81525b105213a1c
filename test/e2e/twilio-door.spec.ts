import { type Json, newWorkspace, ok, unique, type Workspace } from '../support/clients/client.js';
import {
  AUTH_TOKEN,
  contentsOf,
  countsOf,
  FORM_ENCODED,
  pathOf,
  push,
  pushText,
  textChannel,
  thirtyTwo,
  twilioSignature,
  twilioText,
} from '../support/clients/doors.js';
import { emailChannel } from '../support/clients/client.js';
import { expectProblem } from '../support/clients/expectations.js';

let workspace: Workspace;
let channel: Json;
beforeEach(async () => {
  workspace = await newWorkspace();
  channel = await textChannel(workspace);
});

const EMPTY_TWIML = /^(<\?xml[^>]*\?>)?<Response>\s*<\/Response>$/;
const only = async (): Promise<Json> => {
  const { messages } = await contentsOf(workspace);
  expect(messages).toHaveLength(1);
  return messages[0];
};

describe('the hook for texts', () => {
  it('has no token, which Twilio would show to people; its signature takes the place', () => {
    expect(channel.hooks.twilio).toMatch(new RegExp(`/hooks/v1/channels/${channel.channel_id}/twilio$`));
    expect(channel.hooks.call).toMatch(/\/call\?token=/);
  });

  it('answers 200 with empty TwiML and records the text of who sent it', async () => {
    const told = twilioText({ Body: 'In blue? größer & 100% + more 🦋' });
    const answer = await pushText(workspace, channel, told);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/xml/);
    expect(answer.text).toMatch(EMPTY_TWIML);
    const message = await only();
    expect(message).toMatchObject({
      modality: 'text',
      message_direction: 'received',
      content: told['Body'],
      agent_id: null,
      external_id: `text:${told['MessageSid']}`,
    });
    const { contacts } = await contentsOf(workspace);
    expect(contacts.map(({ phone_number }) => phone_number)).toEqual(['+12125550101']);
  });

  it('keeps media readable, a line for each', async () => {
    const media = {
      NumMedia: '2',
      MediaUrl0: 'https://api.twilio.com/ME0',
      MediaContentType0: 'image/jpeg',
      MediaUrl1: 'https://api.twilio.com/ME1',
      MediaContentType1: 'video/mp4',
    };
    await pushText(workspace, channel, twilioText({ Body: 'See', ...media }));
    expect((await only()).content.split('\n')).toEqual([
      'See',
      'https://api.twilio.com/ME0 (image/jpeg)',
      'https://api.twilio.com/ME1 (video/mp4)',
    ]);
  });

  it('puts the texts of one number into one conversation, apart from those of another', async () => {
    await pushText(workspace, channel, twilioText());
    await pushText(workspace, channel, twilioText({ Body: 'Hello?' }));
    await pushText(workspace, channel, twilioText({ From: '+12125550102' }));
    expect(await countsOf(workspace)).toEqual([3, 2, 2]);
  });

  it('takes a text from a name, or by WhatsApp', async () => {
    await pushText(workspace, channel, twilioText({ From: 'PARCELS' }));
    await pushText(workspace, channel, twilioText({ From: 'whatsapp:+12125550103' }));
    const { contacts } = await contentsOf(workspace);
    expect(contacts.map(({ name, phone_number }) => name || phone_number).sort()).toEqual([
      '+12125550103',
      'PARCELS',
    ]);
  });

  it('answers a text that comes again the same, and changes nothing', async () => {
    const told = twilioText();
    const first = await pushText(workspace, channel, told);
    const again = await pushText(workspace, channel, told);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(await countsOf(workspace)).toEqual([1, 1, 1]);
  });

  it('makes one message, contact and conversation of a text that comes 32 times at once', async () => {
    const told = twilioText();
    expect(await thirtyTwo(() => pushText(workspace, channel, told))).toEqual(Array(32).fill(200));
    expect(await countsOf(workspace)).toEqual([1, 1, 1]);
  });

  it('refuses a wrong signature and none with 403, and stores nothing', async () => {
    const told = twilioText();
    const { twilio } = channel.hooks;
    const wrong = [
      '',
      'nonsense',
      twilioSignature(twilio, told, 'another token'),
      twilioSignature(`${twilio}?x=1`, told),
      twilioSignature(twilio, { ...told, Body: 'changed' }),
      twilioSignature(twilio.replace(channel.channel_id, 'channel_x'), told),
    ];
    for (const signature of wrong)
      expectProblem(await pushText(workspace, channel, told, signature), 403, 'wrong_signature');
    expect(await countsOf(workspace)).toEqual([0, 0, 0]);
  });

  it('takes the signature with the query that the URL was given, and with the standard port', async () => {
    const told = twilioText();
    const raw = new URLSearchParams(told).toString();
    const signature = twilioSignature(`${channel.hooks.twilio}?from=console`, told);
    const path = `${pathOf(channel, 'twilio')}?from=console`;
    const headers = { ...FORM_ENCODED, 'x-twilio-signature': signature };
    expect((await push(workspace, path, { raw, headers })).status).toBe(200);
  });

  it('takes the values of a name that comes twice together', async () => {
    const told = twilioText();
    const raw = `${new URLSearchParams(told).toString()}&Extra=b&Extra=a&Extra=b`;
    const signature = twilioSignature(channel.hooks.twilio, { ...told, Extra: 'aExtrab' });
    const answer = await push(workspace, pathOf(channel, 'twilio'), {
      raw,
      headers: { ...FORM_ENCODED, 'x-twilio-signature': signature },
    });
    expect(answer.status).toBe(200);
  });

  it.each(['MessageSid', 'From'])('refuses a signed request without %s with 400', async (name) => {
    const { [name]: _, SmsMessageSid: __, ...told } = twilioText();
    expectProblem(await pushText(workspace, channel, told), 400, 'validation_failed', name);
    expect(await countsOf(workspace)).toEqual([0, 0, 0]);
  });

  it('makes no message of a report about a text that was sent', async () => {
    const { Body: _, ...told } = twilioText({ MessageStatus: 'delivered', SmsStatus: 'delivered' });
    expect((await pushText(workspace, channel, told)).status).toBe(200);
    expect(await countsOf(workspace)).toEqual([0, 0, 0]);
  });

  it('follows a change of the auth token', async () => {
    await ok(
      workspace.adminApi.put('channels/text', {
        provider: 'twilio',
        account_sid: 'AC1',
        auth_token: 'renewed-token',
        from_number: '+12125550100',
      }),
    );
    const told = twilioText();
    const signed = (token: string) =>
      pushText(workspace, channel, told, twilioSignature(channel.hooks.twilio, told, token));
    expectProblem(await signed(AUTH_TOKEN), 403, 'wrong_signature');
    expect((await signed('renewed-token')).status).toBe(200);
  });

  it('answers 401 for a channel that does not exist and 404 for one of another modality', async () => {
    const path = '/hooks/v1/channels/channel_nowhere/twilio';
    expectProblem(await push(workspace, path, { raw: 'a=b', headers: FORM_ENCODED }), 401, 'unauthorized');
    const { channel_id } = await emailChannel(workspace, 1);
    const other = `/hooks/v1/channels/${channel_id}/twilio`;
    expectProblem(
      await push(workspace, other, { raw: 'a=b', headers: FORM_ENCODED }),
      404,
      'channel_not_found',
    );
  });

  it('takes forms alone, up to 2 MiB', async () => {
    const path = pathOf(channel, 'twilio');
    expectProblem(await push(workspace, path, { body: twilioText() }), 415, 'unsupported_media_type');
    const malformed = { raw: '{', headers: { 'content-type': 'application/json' } };
    expectProblem(await push(workspace, path, malformed), 415, 'unsupported_media_type');
    const raw = `Body=${'x'.repeat(2 * 1024 * 1024)}`;
    expectProblem(await push(workspace, path, { raw, headers: FORM_ENCODED }), 413, 'body_too_large');
  });

  it('keeps the same MessageSid of two organizations apart', async () => {
    const other = await newWorkspace();
    const theirs = await textChannel(other);
    const told = twilioText({ MessageSid: unique('SM') });
    await pushText(workspace, channel, told);
    await pushText(other, theirs, told);
    expect([await countsOf(workspace), await countsOf(other)]).toEqual([
      [1, 1, 1],
      [1, 1, 1],
    ]);
  });
});
