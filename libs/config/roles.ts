/** What a process does: answer requests (`api`), work off what is due (`worker`), or both. */
export interface Roles {
  api: boolean;
  worker: boolean;
}

/** Injection token of the process's `Roles`. */
export const ROLES = 'ROLES';
