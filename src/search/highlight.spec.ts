import { highlightsOf, holdsQuery } from './highlight.js';
import { type SearchDocument, tokensOf } from './search-document.js';
import { readQuery, wantedOf } from './search-query.js';

const documentOf = (content: string): SearchDocument => ({
  type: 'message',
  title: '',
  conversation_id: null,
  occurred_at: '2026-01-01T00:00:00.000Z',
  agent_id: null,
  contact_ids: [],
  modality: null,
  fields: [{ name: 'content', text: content }],
});

/** The content with its hits in brackets; null where the query does not find it. */
function found(content: string, q: string): string | null {
  const document = documentOf(content);
  const query = readQuery(q)!;
  const tokens = new Set(tokensOf('org', document));
  const isCandidate = query.some((terms) =>
    wantedOf(terms).every(
      ({ anyOf, noneOf }) =>
        anyOf.some((all) => all.every((token) => tokens.has(token))) &&
        !noneOf.some((token) => tokens.has(token)),
    ),
  );
  if (!isCandidate || !holdsQuery(document, query)) return null;
  return highlightsOf(document, query)[0]!.text.replaceAll('\uE000', '[').replaceAll('\uE001', ']');
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
  ])('%s by %s', (content, q, expected) => expect(found(content, q)).toBe(expected));

  it('as a single character it is the beginning of a pair', () => {
    expect(found('ทำงาน', 'ำ')).toBe('ท[ำง]าน');
    expect(found('ຢູ່ໝວດ', 'ໝ')).toBe('ຢູ່[ໝວ]ດ');
  });

  it('without what must not be there', () => {
    expect(found('ผมทำงาน', 'ผม -ทำ')).toBe(null);
    expect(found('ผมถาม', 'ผม -ทำ')).toBe('[ผม]ถาม');
  });
});
