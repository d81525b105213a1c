import { normalizedFolder } from './folder.js';

describe('normalizedFolder', () => {
  it.each([
    ['Spring Campaign', 'spring-campaign'],
    ['  Follow -- ups_2026!  ', 'follow-ups-2026'],
    ['drafts', 'drafts'],
    ['', 'drafts'],
    [' -_- ', 'drafts'],
    ['Äpfel & Birnen', 'äpfel-birnen'],
    ['見積 依頼', '見積-依頼'],
  ])('makes %j %j', (folder, normalized) => expect(normalizedFolder(folder)).toBe(normalized));
});
