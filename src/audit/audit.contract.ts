// What the command line uses of the audit log.
export {
  type AdminAuditLogResponse,
  ALL,
  type AuditLogResponse,
  ListAllAuditLogsQuery,
} from './audit.dto.js';
export { AuditQueries } from './audit.queries.js';
