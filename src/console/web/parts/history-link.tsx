import { changedQuery, href } from '../data/route.js';
import { words } from '../words/words.js';
import { Icon } from './icon.js';

/** Leads to all that was ever changed of a record. */
export const HistoryLink = ({ of, class: kind = 'button' }: { of: string; class?: string }) => (
  <a class={kind} href={href(['audit'], { org: changedQuery({}).get('org'), record: of })}>
    <Icon name="audit" size={14} />
    {words.history}
  </a>
);
