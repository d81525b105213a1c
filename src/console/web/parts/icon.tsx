const PATHS = {
  inbox: 'M2.5 9.5 4 3h8l1.5 6.5V13h-11zM2.5 9.5h3l1 2h3l1-2h3',
  find: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.5 10.5l3 3',
  keys: 'M1.5 4h13v8h-13zM4 7h.5M7 7h.5M10 7h.5M5 9.5h6',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  out: 'M9 3H3v10h6M7 8h6.5M11 5.5 13.5 8 11 10.5',
  mark: 'M3 4.5h10M3 8h10M3 11.5h5',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  close: 'm4 4 8 8M12 4l-8 8',
  back: 'M9.5 3.5 5 8l4.5 4.5',
  down: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  check: 'm3.5 8.5 3 3 6-7',
  clock: 'M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 5v3l2 1.5',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM3 13.5c.5-2.5 2.5-3.5 5-3.5s4.500 1 5 3.500',
  tag: 'M2.500 2.500h5l6 6-5 5-6-6zM5.500 5.500h.01',
  file: 'M4 2.500h5l3 3v8H4zM9 2.500v3h3',
  attach: 'M11.500 7 7.200 11.300a2 2 0 0 1-2.900-2.900l5-5a3 3 0 0 1 4.300 4.300L8 13.300',
  email: 'M2 4h12v8.500H2zM2 4.500l6 4.500 6-4.500',
  text: 'M2.500 3h11v7.500H7L4 13v-2.500H2.500z',
  call: 'M4 2.500 6 3l.5 3-1.300 1a7 7 0 0 0 3.800 3.800l1-1.300 3 .5.5 2c0 1-.8 1.500-1.500 1.500C7 13.500 2.500 9 2.500 4c0-.8.600-1.500 1.500-1.500Z',
  live_chat: 'M2 3h9v6H6l-2.500 2V9H2zM12.500 6H14v6h-1.500v2L10 12H7',
  alert: 'M8 2.500 14 13H2zM8 6.500v3M8 11.300v.2',
  dot: 'M8 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Z',
  today: 'M2.5 13.5h11M4 11V8M8 11V3.500M12 11V6',
  pipeline: 'M2.500 3h3v9h-3zM6.500 3h3v6h-3zM10.500 3h3v4h-3z',
  company: 'M3 13.500v-11h6v11M9 6h4v7.500M1.500 13.500h13M5 5h2M5 7.500h2M5 10h2',
  task: 'M3 3h10v10H3zM5.500 8l2 2 3.500-4',
  audit: 'M4 2.500h8v11H4zM6 5.500h4M6 8h4M6 10.500h2',
  events: 'M8.500 2 4 9h3.500L7 14l5-7H8.500z',
  operations: 'M2.500 5h11M2.500 11h11M6 3v4M10 9v4',
  edit: 'M3 13l.7-3L11 2.700l2.300 2.300L6 12.300z',
  move: 'M3 8h9.500M9 4.500 12.500 8 9 11.500',
  note: 'M3 2.500h10v7l-4 4H3zM9 13.500v-4h4',
};

export type IconName = keyof typeof PATHS;

/** A drawing beside words; whoever cannot see it misses nothing. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true">
    <path
      d={PATHS[name]}
      stroke="currentColor"
      stroke-width="1.25"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
);

export const modalityIcon = (modality: string): IconName =>
  modality in PATHS ? (modality as IconName) : 'text';
