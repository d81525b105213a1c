/** Told of each answer, and of each request that got none. */
export const watch: { answered(response: Response): void; lost(): void } = {
  answered: () => undefined,
  lost: () => undefined,
};

export async function watchedFetch(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    watch.answered(response);
    return response;
  } catch (error) {
    if (!request.signal.aborted) watch.lost();
    throw error;
  }
}
