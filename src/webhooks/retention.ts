/** How far the log of deliveries reaches back, and how long events are kept for a paused webhook: 30 days. */
export const KEPT_SECONDS = 30 * 24 * 3600;
