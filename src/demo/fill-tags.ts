import { newId } from '#kernel/id.js';
import type { Instant } from '#kernel/instant.js';
import type { RecordTag } from '#kernel/tags.js';
import { type Append, appendTo, NEW } from '#event-store/append.js';
import { tag, tags } from '../tags/tags.contract.js';

/** The first are for contacts and sales, the others for what conversations are about. */
const TAGS = [
  { name: 'Key account', colour: '#1e90ff' },
  { name: 'Newsletter', colour: '#2e8b57' },
  { name: 'Needs care', colour: '#d2691e' },
  { name: 'Complaint', colour: '#b22222' },
  { name: 'Delivery', colour: '#708090' },
  { name: 'Prices', colour: '#9370db' },
];

const OF_CONTACTS = 3;
/** One of so many contacts has a tag. */
const EACH = 5;

/** The tags of the demo. */
export const demoTags = (): RecordTag[] => TAGS.map((one) => ({ tag_id: newId('tag'), ...one }));

export const tagAppend = (one: RecordTag, created_at: Instant): Append =>
  appendTo(tags, one.tag_id, NEW, tag.decide(null, { type: 'CreateTag', ...one, created_at }));

/** The tags of the nth contact. */
export const tagsOfNth = (all: RecordTag[], nr: number): RecordTag[] =>
  nr % EACH === 0 ? [all[(nr / EACH) % OF_CONTACTS]!] : [];
