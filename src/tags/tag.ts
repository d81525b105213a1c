import type { Decider } from '#kernel/decider.js';
import type { Instant } from '#kernel/instant.js';
import { orderKey } from '#kernel/tags.js';

export interface Tag {
  tag_id: string;
  name: string;
  /** As `#rrggbb`. */
  colour: string | null;
  created_at: Instant;
  /** The name without differences that no two tags may have alone (`sameNameKey`). */
  name_key: string;
  /** By which tags are in order. */
  order_key: string;
}

/** The fields that the contract shows, in its order. */
export const TAG_FIELDS = ['tag_id', 'name', 'colour', 'created_at'] as const;

type Told = Pick<Tag, (typeof TAG_FIELDS)[number]>;

/** Fields that a change names; those it leaves out stay as they are, null takes the colour away. */
export type TagChanges = Partial<Pick<Tag, 'name' | 'colour'>>;

export type TagEvent =
  | { type: 'TagCreated'; data: Told }
  | { type: 'TagChanged'; data: TagChanges }
  | { type: 'TagDeleted'; data: object };

export type TagCommand =
  ({ type: 'CreateTag' } & Told) | { type: 'ChangeTag'; changes: TagChanges } | { type: 'DeleteTag' };

export const tag: Decider<Tag, TagCommand, TagEvent> = {
  decide(state, command) {
    switch (command.type) {
      case 'CreateTag': {
        const { type: _, ...data } = command;
        return [{ type: 'TagCreated', data }];
      }
      case 'ChangeTag': {
        const data = state ? whatChanges(state, command.changes) : {};
        return Object.keys(data).length > 0 ? [{ type: 'TagChanged', data }] : [];
      }
      case 'DeleteTag':
        return state ? [{ type: 'TagDeleted', data: {} }] : [];
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'TagCreated':
        return { ...event.data, ...keysOf(event.data.name) };
      case 'TagChanged': {
        const changed = state && { ...state, ...event.data };
        return changed && { ...changed, ...keysOf(changed.name) };
      }
      case 'TagDeleted':
        return null;
    }
  },
};

const whatChanges = (state: Tag, { name, colour }: TagChanges): TagChanges => ({
  ...(name !== undefined && name !== state.name && { name }),
  ...(colour !== undefined && colour !== state.colour && { colour }),
});

const keysOf = (name: string) => ({ name_key: sameNameKey(name), order_key: orderKey(name) });

/** What nobody sees of a name; the first group is what joins emoji, with the tags of a black flag, beside ZWJ between two of them. */
const UNSEEN_IN_NAME =
  /(\u{1f3f4}[\u{e0020}-\u{e007f}]+)|(?<!\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d|\u200d(?!\p{Extended_Pictographic})|(?!\u200d)[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The name without differences of case, of compatible forms (NFKC), of what nobody sees, and of blanks around it. */
export const sameNameKey = (name: string): string =>
  // Both ways, as not every letter has one of the other case: ß is SS. What is unseen goes first and last: folding may bring it forth.
  seen(seen(name).normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')).trim();

const seen = (text: string): string => text.replace(UNSEEN_IN_NAME, '$1');
