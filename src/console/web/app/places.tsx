import { useState } from 'preact/hooks';
import { go, href, useRoute } from '../data/route.js';
import { session, signOut } from '../data/session.js';
import { nextTheme, theme } from '../data/theme.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words/words.js';
import { placeOf, placesHere } from './pages.js';

const { places: text } = words;

export function Places({ find, showKeys }: { find: () => void; showKeys: () => void }) {
  const { path, query } = useRoute();
  const [, draw] = useState({});
  const organizations = session()?.organizations ?? [];
  const change = () => {
    nextTheme();
    draw({});
  };
  return (
    <nav class="places" aria-label={text.label}>
      <div class="brand">
        <Icon name="mark" />
        <span class="word">{words.product}</span>
      </div>
      {organizations.length > 1 && (
        <select
          class="field"
          aria-label={text.organization}
          value={query.get('org') ?? organizations[0]!.organization_id}
          onChange={(event) => go(href(path.slice(0, 1), { org: event.currentTarget.value }))}
        >
          {organizations.map(({ organization_id, name }) => (
            <option key={organization_id} value={organization_id}>
              {name}
            </option>
          ))}
        </select>
      )}
      {placesHere().map(({ name, icon }) => (
        <a
          key={name}
          class="place"
          href={href([name], { org: query.get('org') })}
          aria-current={name === placeOf(path)?.name ? 'page' : undefined}
          title={text[name]}
        >
          <Icon name={icon} />
          <span class="word">{text[name]}</span>
        </a>
      ))}
      <button class="place" onClick={find} title={`${text.find} (Ctrl K)`}>
        <Icon name="find" />
        <span class="word">{text.find}</span>
      </button>
      <div class="places-end">
        <button class="place" onClick={showKeys} title={text.keys}>
          <Icon name="keys" />
          <span class="word">{text.keys}</span>
        </button>
        <button class="place" onClick={change} title={text.theme[theme()]}>
          <Icon name="theme" />
          <span class="word">{text.theme[theme()]}</span>
        </button>
        <button class="place" onClick={signOut} title={text.signOut}>
          <Icon name="out" />
          <span class="word">{text.signOut}</span>
        </button>
      </div>
    </nav>
  );
}
