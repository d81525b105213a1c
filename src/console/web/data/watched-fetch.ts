/** Told of each answer, and of each request that got none. */
export const watch: { answered(response: Response): void; lost(): void } = {
  answered: () => undefined,
  lost: () => undefined,
};

const SESSION = 'X-Parley-Session';

let writes = 0;

/** Whether a change is under way. */
export const isWriting = (): boolean => writes > 0;

/** A change that takes several requests, some of which only read. */
export async function writing<Done>(work: () => Promise<Done>): Promise<Done> {
  writes++;
  try {
    return await work();
  } finally {
    writes--;
  }
}

export const watchedFetch = (request: Request): Promise<Response> =>
  request.method === 'GET' ? asked(request) : writing(() => asked(request));

/** The session that this page is of, by the name that its answers gave it; null before the first. */
let session: string | null = null;

/** The page is of the session of the next answer. */
export const forgetSession = (): void => void (session = null);

async function asked(request: Request): Promise<Response> {
  // Another page of this browser, or of a neighbouring host, may have changed the cookie: then the answer is 401.
  if (session !== null) request.headers.set(SESSION, session);
  try {
    const response = await fetch(request);
    session ??= response.ok ? response.headers.get(SESSION) : null;
    watch.answered(response);
    return response;
  } catch (error) {
    if (!request.signal.aborted) watch.lost();
    throw error;
  }
}
