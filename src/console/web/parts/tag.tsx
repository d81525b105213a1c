import type { Tag } from '../data/records.js';

/** A tag with its colour as a dot: the name tells it without. */
export const TagMark = ({ tag: { name, colour } }: { tag: Tag }) => (
  <span class="tag">
    <svg width="8" height="8" aria-hidden="true">
      <circle cx="4" cy="4" r="4" fill={colour ?? 'currentColor'} />
    </svg>
    <span class="cut">{name}</span>
  </span>
);
