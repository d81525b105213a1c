/** Approximate bytes of rows in a page: a page of long texts ends before its limit, so that no reader can take all memory. */
export const ROOM_OF_PAGE = 2 * 1024 * 1024;
