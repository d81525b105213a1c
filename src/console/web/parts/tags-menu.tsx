import type { Tag } from '../data/records.js';
import { useTags } from '../inbox/use-conversations.js';
import { words } from '../words/words.js';
import { Icon } from './icon.js';
import { Menu } from './menu.js';
import { TagMark } from './tag.js';

/** Gives a record tags, and takes them away. */
export function TagsMenu({
  of,
  toggle,
  class: kind,
}: {
  of: Tag[];
  toggle: (tag: Tag) => void;
  class?: string;
}) {
  const tags = useTags();
  return (
    <Menu
      class={kind}
      label={
        <>
          <Icon name="tag" /> {words.acts.tags}
        </>
      }
    >
      {() =>
        tags.length === 0 ? (
          <p class="quiet small menu-words">{words.acts.noTags}</p>
        ) : (
          tags.map((tag) => {
            const has = of.some(({ tag_id }) => tag_id === tag.tag_id);
            return (
              <button key={tag.tag_id} class="menu-item" aria-pressed={has} onClick={() => toggle(tag)}>
                <TagMark tag={tag} />
                {has && <Icon name="check" />}
              </button>
            );
          })
        )
      }
    </Menu>
  );
}
