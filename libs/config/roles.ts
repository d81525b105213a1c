/** Which half of the product a process runs: it answers requests, it works off what is due, or both. */
export interface Roles {
  api: boolean;
  worker: boolean;
}

/** Injection token of the process's `Roles`. */
export const ROLES = 'ROLES';
