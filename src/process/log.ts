import { type DestinationStream, type Logger, pino } from 'pino';

/** The structured log. */
export const openLog = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, serializers: { err: toldError } }, destination as DestinationStream);

/** What an error is and where it happened, and no more: those of a driver also hold statements with what people wrote. */
function toldError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, code } = error as Error & { code?: unknown };
  return { name, message, code, stack };
}
