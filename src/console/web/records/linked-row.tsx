import { Icon, type IconName } from '../parts/icon.js';
import { Time } from '../parts/states.js';
import { listed } from '../words/isolated.js';

interface Props {
  /** Left out where it has no page. */
  to?: string | undefined;
  icon: IconName;
  title: string;
  facts: (string | null | undefined)[];
  at?: string | null;
}

/** A record beside another: what it is called, and below it a few facts. */
export function LinkedRow({ to, icon, title, facts, at }: Props) {
  const shown = (
    <>
      <Icon name={icon} />
      <span class="linked-title cut" dir="auto">
        {title}
      </span>
      {at && <Time at={at} class="quiet small" />}
      <span class="linked-facts quiet small cut" dir="auto">
        {listed(facts, ' · ')}
      </span>
    </>
  );
  return to === undefined ? (
    <div class="linked-row">{shown}</div>
  ) : (
    <a class="linked-row" href={to}>
      {shown}
    </a>
  );
}
