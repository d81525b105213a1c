import { changedQuery, go, useRoute } from './route.js';

/** Whether the form of a new record is open, which the address tells: after a reload, or signing in again, one goes on with it. */
export function useMaking(): [boolean, (is: boolean) => void] {
  const { query } = useRoute();
  const set = (is: boolean): void => {
    const search = changedQuery({ new: is ? 'true' : null }).toString();
    go(location.pathname + (search === '' ? '' : `?${search}`), { replace: true });
  };
  return [query.has('new'), set];
}
