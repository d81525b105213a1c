import { changedQuery, go, useRoute } from '../data/route.js';

export type Options = [value: string, label: string][];

/** Sets a filter in the address; null takes it away. */
export const setFilter = (name: string, value: string | null): void =>
  go(`${location.pathname}?${changedQuery({ [name]: value }).toString()}`, { replace: true });

/** A filter of the address that has a few values; the empty one is the usual. */
export function Choice({
  name,
  label,
  options,
  bare,
}: {
  name: string;
  label: string;
  options: Options;
  bare?: boolean;
}) {
  const { query } = useRoute();
  const given = query.get(name) ?? '';
  // The default may be named in a link.
  const value = options.some(([one]) => one === given) ? given : '';
  return (
    <label>
      <span class={bare ? 'only-read' : 'label'}>{label}</span>
      <select class="field" value={value} onChange={(event) => setFilter(name, event.currentTarget.value)}>
        {options.map(([one, shown]) => (
          <option key={one} value={one}>
            {shown}
          </option>
        ))}
      </select>
    </label>
  );
}
