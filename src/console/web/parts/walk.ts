/** Moves the focus through the links of a list, from the first. */
export function walk(list: string, by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>(`${list} li > a`)];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? links[0] : links[at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
