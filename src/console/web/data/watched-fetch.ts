/** Told of each answer, and of each request that got none. */
export const watch: { answered(response: Response): void; lost(): void } = {
  answered: () => undefined,
  lost: () => undefined,
};

let writes = 0;

/** Whether a change is under way. */
export const isWriting = (): boolean => writes > 0;

export async function watchedFetch(request: Request): Promise<Response> {
  const isWrite = request.method !== 'GET';
  if (isWrite) writes++;
  try {
    const response = await fetch(request);
    watch.answered(response);
    return response;
  } catch (error) {
    if (!request.signal.aborted) watch.lost();
    throw error;
  } finally {
    if (isWrite) writes--;
  }
}
