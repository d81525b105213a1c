/** Whether the error has this code. Errors of Node (`ENOENT`), PostgreSQL (a SQLSTATE) and their drivers have codes. */
export const hasCode = (error: unknown, code: string): boolean => (error as { code?: string }).code === code;
