import type { AuditRecord } from '../data/records.js';
import { words } from '../words/words.js';

/** Who did it: by name, else by what it is. */
export const actorName = ({ actor: { type, name } }: Pick<AuditRecord, 'actor'>): string =>
  name ?? words.audit.actors[type] ?? type;
