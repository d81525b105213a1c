const script = new URL(import.meta.url);

/** Paths, found by the address of the script: a proxy may serve Parley below a path of its own. */
export const root = {
  console: new URL('../', script).pathname,
  api: new URL('../../', script).pathname,
};
