/** Bytes that the rows of a page may take, about: pages of long texts end before their limit, so that one reader cannot take all memory. */
export const ROOM_OF_PAGE = 16 * 1024 * 1024;
