import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../parts/icon.js';

type Kind = 'done' | 'waiting' | 'warning' | 'failed' | 'quiet';

const ICONS: Record<Kind, IconName> = {
  done: 'check',
  waiting: 'clock',
  warning: 'alert',
  failed: 'alert',
  quiet: 'dot',
};

/** How something stands, by a drawing, a word and a colour. */
export const StateMark = ({ kind, children }: { kind: Kind; children: ComponentChildren }) => (
  <span class={`state-mark ${kind === 'warning' ? 'waiting' : kind}`}>
    <Icon name={ICONS[kind]} size={14} />
    <span>{children}</span>
  </span>
);
