/** How long the log of deliveries reaches back, and how long a paused webhook keeps what it has not sent: 30 days. */
export const KEPT_SECONDS = 30 * 24 * 3600;
