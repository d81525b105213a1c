/** Whether the error bears this code, as those of Node (`ENOENT`), PostgreSQL (a SQLSTATE) and their drivers do. */
export const hasCode = (error: unknown, code: string): boolean => (error as { code?: string }).code === code;
