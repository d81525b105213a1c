import fc from 'fast-check';
import { newContent } from './new-content.js';

const QUOTED = '> Do you have it\n>\n> in blue?';

describe('the new content of a mail', () => {
  it.each([
    ['Gmail', `Yes, please.\n\nOn Fri, Jan 2, 2026 at 3:04 AM Sales <sales@acme.example> wrote:\n${QUOTED}`],
    [
      'a long introduction, broken in two',
      `Yes, please.\n\nOn Fri, Jan 2, 2026 at 3:04 AM The Whole Sales Team\n<sales@acme.example> wrote:\n\n${QUOTED}\n`,
    ],
    ['a German program', `Yes, please.\n\nAm 02.01.26 um 03:04 schrieb Sales:\n${QUOTED}`],
    [
      'a French program',
      `Yes, please.\n\nLe 2 janv. 2026 à 03:04, Sales <s@acme.example> a écrit :\n${QUOTED}`,
    ],
    [
      'Outlook',
      'Yes, please.\n\n-----Original Message-----\nFrom: Sales\nSent: Friday\nTo: Grace\nSubject: Blue\n\nDo you have it?',
    ],
    [
      'Outlook without a line',
      'Yes, please.\n\nFrom: Sales <s@acme.example>\nSent: Friday\nTo: Grace\nSubject: Blue\n\nDo you have it?',
    ],
    [
      'Outlook on the web',
      `Yes, please.\n\n${'_'.repeat(32)}\nVon: Sales\nGesendet: Freitag\nAn: Grace\n\nDo you have it?`,
    ],
    ['bare quote marks', `Yes, please.\n\n${QUOTED}`],
    ['a signature below', `Yes, please.\n\n${QUOTED}\n\n-- \nGrace`],
  ])('is what stands above the history of %s', (_, text) => {
    expect(newContent(text)).toBe('Yes, please.');
  });

  it.each([
    ['Danish', 'Fra: Sales <s@acme.example>\nSendt: 4. januar 2026 19:03\nTil: Grace\nEmne: Blå'],
    ['German', 'Von: Sales\nGesendet: Sonntag, 4. Januar 2026 19:03\nAn: Grace\nCc: Ann\nBetreff: Blau'],
    [
      'French',
      'De\u00a0: Sales\nEnvoyé\u00a0: dimanche 4 janvier 2026 19:03\nÀ\u00a0: Grace\nObjet\u00a0: Bleu',
    ],
    ['Spanish', 'De: Sales\nEnviado: domingo, 4 de enero de 2026 19:03\nPara: Grace\nAsunto: Azul'],
    ['Italian', 'Da: Sales\nInviato: domenica 4 gennaio 2026 19:03\nA: Grace\nOggetto: Blu'],
    ['Portuguese', 'De: Sales\nEnviada em: domingo, 4 de janeiro de 2026 19:03\nPara: Grace\nAssunto: Azul'],
    ['Dutch', 'Van: Sales\nVerzonden: zondag 4 januari 2026 19:03\nAan: Grace\nOnderwerp: Blauw'],
    ['Swedish', 'Från: Sales\nSkickat: den 4 januari 2026 19:03\nTill: Grace\nÄmne: Blå'],
    ['Norwegian', 'Fra: Sales\nSendt: søndag 4. januar 2026 19:03\nTil: Grace\nKopi: Ann\nEmne: Blå'],
    ['Finnish', 'Lähettäjä: Sales\nLähetetty: 4. tammikuuta 2026 19:03\nVastaanottaja: Grace\nAihe: Sininen'],
    ['Polish', 'Od: Sales\nWysłano: niedziela, 4 stycznia 2026 19:03\nDo: Grace\nDW: Ann\nTemat: Niebieski'],
    ['Czech', 'Od: Sales\nOdesláno: neděle 4. ledna 2026 19:03\nKomu: Grace\nPředmět: Modrá'],
    ['Slovak', 'Od: Sales\nOdoslané: nedeľa 4. januára 2026 19:03\nKomu: Grace\nPredmet: Modrá'],
    ['Hungarian', 'Feladó: Sales\nElküldve: 2026. január 4., vasárnap 19:03\nCímzett: Grace\nTárgy: Kék'],
    ['Romanian', 'De la: Sales\nTrimis: duminică, 4 ianuarie 2026 19:03\nCătre: Grace\nSubiect: Albastru'],
    ['Turkish', 'Kimden: Sales\nGönderildi: 4 Ocak 2026 Pazar 19:03\nKime: Grace\nKonu: Mavi'],
    ['Greek', 'Από: Sales\nΣτάλθηκε: Κυριακή, 4 Ιανουαρίου 2026 19:03\nΠρος: Grace\nΘέμα: Μπλε'],
    ['Russian', 'От: Sales\nОтправлено: 4 января 2026 г. 19:03\nКому: Grace\nТема: Синий'],
    ['Ukrainian', 'Від: Sales\nНадіслано: 4 січня 2026 р. 19:03\nКому: Grace\nТема: Синій'],
    ['Japanese', '差出人: Sales\n送信日時: 2026年1月4日 19:03\n宛先: Grace\n件名: 青'],
    ['Korean', '보낸 사람: Sales\n보낸 날짜: 2026년 1월 4일 일요일 19:03\n받는 사람: Grace\n제목: 파란색'],
    [
      'simplified Chinese',
      '发件人: Sales\n发送时间: 2026年1月4日 19:03\n收件人: Grace\n抄送：Ann\n主题: 蓝色',
    ],
    ['traditional Chinese', '寄件者: Sales\n寄件日期: 2026年1月4日 19:03\n收件者: Grace\n主旨：藍色'],
    ['bold English', '*From:* Sales\n*Sent:* Sunday, January 4, 2026 7:03 PM\n*To:* Grace\n*Subject:* Blue'],
    [
      'new English',
      'From: Sales <s@acme.example>\nDate: Sunday, 4 January 2026 at 19:03\nTo: Grace\nSubject: Blue',
    ],
    [
      'crowded English',
      'From: Sales\nSent: Sunday, January 4, 2026 7:03 PM\nTo: Grace <g@buyer.example>;\n Ann <ann@buyer.example>\nSubject: Blue\nImportance: High',
    ],
  ])(
    'is what stands above the headers that %s Outlook quotes, with a line drawn or without',
    (_, headers) => {
      for (const rule of ['', `${'_'.repeat(32)}\n`, '-----Aaa bbb-----\n'])
        expect(newContent(`Yes, please.\n\n${rule}${headers}\n\nDo you have it?\nAda`)).toBe('Yes, please.');
    },
  );

  it.each([
    'On Fri, Jan 2, 2026 at 3:04 AM Sales <s@acme.example> wrote:',
    'On Friday, January 2, 2026 at 03:04:05 AM GMT+1, Sales <s@acme.example> wrote:',
    'On Fri, Jan 2,\n2026 at 3:04 AM Sales <s@acme.example> wrote:',
    'Am Fr., 2. Jan. 2026 um 03:04 Uhr schrieb Sales <s@acme.example>:',
    'Le ven. 2 janv. 2026 à 03:04, Sales <s@acme.example> a écrit\u00a0:',
    'El vie, 2 ene 2026 a las 3:04, Sales (<s@acme.example>) escribió:',
    'Il giorno ven 2 gen 2026 alle ore 03:04 Sales <s@acme.example> ha scritto:',
    'Em sex., 2 de jan. de 2026 às 03:04, Sales <s@acme.example> escreveu:',
    'Op vr 2 jan 2026 om 03:04 schreef Sales <s@acme.example>:',
    'Den fre 2 jan. 2026 kl 03:04 skrev Sales <s@acme.example>:',
    'pe 2. tammik. 2026 klo 3.04 Sales <s@acme.example> kirjoitti:',
    'pt., 2 sty 2026 o 03:04 Sales <s@acme.example> napisał(a):',
    'pá 2. 1. 2026 v 3:04 odesílatel Sales <s@acme.example> napsal:',
    'Sales <s@acme.example> ezt írta (időpont: 2026. jan. 2., P, 3:04):',
    'vin., 2 ian. 2026 la 03:04, Sales <s@acme.example> a scris:',
    'Sales <s@acme.example>, 2 Oca 2026 Cum, 03:04 tarihinde şunu yazdı:',
    'Στις Παρ 2 Ιαν 2026 στις 3:04 π.μ., ο χρήστης Sales <s@acme.example> έγραψε:',
    'пт, 2 січ. 2026 р. о 03:04 Sales <s@acme.example> пише:',
    '2026년 1월 2일 (금) 오전 3:04, Sales <s@acme.example>님이 작성:',
    'Sales <s@acme.example> 于2026年1月2日周五 03:04写道：',
  ])('is what stands above %j, whether the history has quote marks or none', (introduction) => {
    for (const history of [QUOTED, 'Do you have it\nin blue?'])
      expect(newContent(`Yes, please.\n\n${introduction}\n\n${history}`)).toBe('Yes, please.');
  });

  it.each([
    'Am 02.01.26 um 03:04 schrieb Sales:',
    'On 02/01/2026 03:04, Sales wrote:',
    'On 2 Jan 2026, at 03:04, sales@acme.example wrote:',
    'Op 2-1-2026 om 03:04 schreef Sales:',
    'W dniu 2.01.2026 o 03:04, Sales pisze:',
    '02.01.2026 3:04, Sales пишет:',
    'пт, 2 янв. 2026 г. в 03:04, Sales <s@acme.example>:',
    '2026年1月2日(金) 3:04 Sales <s@acme.example>:',
  ])('is what stands above %j only if the history has quote marks', (introduction) => {
    expect(newContent(`Yes, please.\n\n${introduction}\n${QUOTED}`)).toBe('Yes, please.');
    expect(newContent(`Yes, please.\n\n${introduction}\n\nDo you have it?`)).toBeNull();
  });

  it.each([
    '-------- Weitergeleitete Nachricht --------',
    '---------- Forwarded message ---------',
    '-----Mensaje original-----',
    '----- Message d’origine -----',
    '------------------ 原始邮件 ------------------',
    'Begin forwarded message:',
  ])('is what stands above %j', (title) => {
    expect(newContent(`Yes, please.\n\n${title}\nDo you have it?`)).toBe('Yes, please.');
  });

  it.each([
    'On page 4 the author wrote:',
    'On the 3rd my wife wrote:',
    'Am Montag hat mein Chef geschrieben, und er schrieb:',
    'Page 12 a écrit :',
    'In your mail of 3 May 2026 at 10:15 you wrote:',
    'On 3 May 2026 at 10:15 I wrote:',
  ])('keeps the sentence %j, whether a quote follows or not', (sentence) => {
    expect(newContent(`Hello,\n\n${sentence}\n\nturn the key left. It does not.`)).toBeNull();
    expect(newContent(`Hello,\n\n${sentence}\n\n> turn the key left.`)).toBe(`Hello,\n\n${sentence}`);
  });

  it.each([
    ['an itinerary', 'From: Berlin Hbf\nDate: 3 May 2026 10:15\nTo: Paris Est'],
    ['an itinerary with a subject', 'From: Berlin\nDate: 3 May 2026 10:15\nTo: Paris\nSubject: our trip'],
    ['a German itinerary', 'Von: Berlin\nAn: Paris\nDatum: 3.5.2026 10:15'],
    ['a parcel', 'From: Berlin\nSent: 3 May\nTo: Paris\nSubject: parcel'],
    ['a memo', 'To: All\nFrom: Ann <ann@buyer.example>\nDate: 3 May 2026 10:15\nSubject: Chairs'],
    ['a form', 'From: ann@buyer.example\nDate: 3 May 2026 10:15\nTo: Sales\nSubject: Chairs\nPhone: 123'],
    ['labels of two languages', 'From: Ann <a@x.example>\nGesendet: 3 May 2026 10:15\nAn: Sales\nSubject: x'],
    ['a drawn line', `${'_'.repeat(32)}\nNumber of chairs: 3`],
    ['a drawn line above an itinerary', `${'_'.repeat(32)}\nFrom: Berlin\nDate: 3 May 10:15\nTo: Paris`],
    ['an amount', 'The shelf must be\n> 10 cm'],
    ['a meeting', 'Meeting with Ann <ann@x.example> on 3 May 2026 at 10:15:\n\n- chairs'],
  ])('takes %s for something that the writer wrote', (_, own) => {
    expect(newContent(`Hello,\n\n${own}\n\nPlease send them.`)).toBeNull();
    expect(newContent(`Hello,\n\n${own}`)).toBeNull();
  });

  it('is always the first lines of the content, and leaves out no line below the last quoted one', () => {
    const line = fc.constantFrom(
      ...['Yes.', '', '> Blue?', '>', 'On 2 Jan 2026, at 03:04, Sales <s@acme.example> wrote:', '-- '],
      ...['From: Sales <s@acme.example>', 'Sent: 2 Jan 2026 03:04', 'To: Grace', 'Subject: Blue', '_____'],
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const own = newContent(lines.join('\n'));
        if (own === null) return;
        const left = lines.slice(own.split('\n').length);
        expect(lines.join('\n').startsWith(own)).toBe(true);
        const below = left.slice(left.findLastIndex((one) => one.startsWith('>')) + 1);
        const isUnquoted = below.length === left.length;
        const [first = '-- '] = below.filter((one) => one !== '');
        expect(isUnquoted || first === '-- ').toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['quotes nothing', 'Yes, please.\n\nOn Friday we wrote: nothing.\nFrom: here'],
    ['is empty', ''],
    ['answers between the quoted lines', `${QUOTED}\n\nYes.\n\n> And in red?\n\nNo.`],
    ['answers below', `Hello,\n\n${QUOTED}\n\nYes, please.`],
    ['only quotes', QUOTED],
  ])('is none of a mail that %s', (_, text) => {
    expect(newContent(text)).toBeNull();
  });

  it.each([
    ['one long line', 'on '.repeat(300_000)],
    ['many headers', 'From: x\n'.repeat(100_000)],
    ['many introductions', 'On 2026 wrote\n'.repeat(60_000)],
    ['dashes', '-'.repeat(900_000)],
    ['white space', `${' '.repeat(900_000)}x`],
    ['empty lines', '\n'.repeat(900_000)],
    ['quote marks', '>'.repeat(900_000)],
  ])('is found in hostile text too: %s', (_, text) => {
    expect(newContent(text)).toBeNull();
  });
});
