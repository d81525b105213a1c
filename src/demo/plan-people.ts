import type { Random } from './random.js';
import { CITIES, PEOPLE, ROLES, STREETS, TOWNS, TRADES } from './words.js';

export interface PlannedCompany {
  name: string;
  domain: string;
  address: string;
  /** The position of the agent who looks after it. */
  agent: number;
}

export interface PlannedContact {
  name: string;
  email: string;
  phone_number: string;
  company: number;
  company_role: string;
  /** That of the company. */
  agent: number;
}

const COMPANIES = 56;
const CONTACTS = 192;
const AREA_CODES = ['212', '312', '415'];

/** From other parts of the world; their conversations are in `scenes.ts`. */
const ABROAD = [
  {
    company: { name: 'さくら食品株式会社', domain: 'sakura-foods.example', address: '大阪市北区梅田 2-4-9' },
    contact: { name: '佐藤 美咲', email: 'misaki.sato@sakura-foods.example', company_role: '仕入れ担当' },
  },
  {
    company: { name: 'مطاعم النخيل', domain: 'nakheel.example', address: 'شارع الميناء ٢٣، بيروت' },
    contact: { name: 'ليلى حداد', email: 'layla.haddad@nakheel.example', company_role: 'مديرة المشتريات' },
  },
];
const ABROAD_PHONES = ['+1 415 555 0198', '+1 415 555 0199'];

/** Companies and their contacts, those from abroad last. */
export function planPeople(random: Random, agents: number) {
  // Some agents look after more than others.
  const agent = () => Math.min(random.integer(0, agents - 1), random.integer(0, agents - 1));
  const companies: PlannedCompany[] = pairs(TOWNS, TRADES, random)
    .slice(0, COMPANIES)
    .map(([town, trade]) => ({
      name: `${town} ${trade}`,
      domain: `${town}-${trade}.example`.toLowerCase().replaceAll(' ', '-'),
      address: `${random.integer(1, 120)} ${random.pick(STREETS)}, ${random.pick(CITIES)}`,
      agent: agent(),
    }));
  const names = random.shuffle(PEOPLE.flatMap(({ first, last }) => pairs(first, last, random)));
  const contacts: PlannedContact[] = names.slice(0, CONTACTS).map(([first, last], nr) => {
    const company = nr % COMPANIES;
    return {
      name: `${first} ${last}`,
      email: `${inAscii(first)}.${inAscii(last)}@${companies[company]!.domain}`,
      // 555-0100 to 555-0199 are nobody's (NANPA); the README's people have 555-0101 to 555-0105 of 212.
      phone_number: `+1 ${AREA_CODES[Math.floor(nr / 80)]} 555 01${String(10 + (nr % 80))}`,
      company,
      company_role: random.pick(ROLES),
      agent: companies[company]!.agent,
    };
  });
  for (const [nr, abroad] of ABROAD.entries()) {
    const company = companies.push({ ...abroad.company, agent: 0 }) - 1;
    contacts.push({ ...abroad.contact, phone_number: ABROAD_PHONES[nr]!, company, agent: 0 });
  }
  return { companies, contacts };
}

const ASCII: Record<string, string> = { ø: 'o', ł: 'l' };

/** As such a name is written in an address. */
const inAscii = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[øł]/g, (letter) => ASCII[letter]!);

/** All different pairs, in any order. */
const pairs = (firsts: string[], lasts: string[], random: Random): [string, string][] =>
  random.shuffle(firsts.flatMap((first) => lasts.map((last): [string, string] => [first, last])));
