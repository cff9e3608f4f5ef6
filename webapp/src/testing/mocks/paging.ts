/** Pagination as on the server. */

/** The maximum number of rows on a page. */
export const MOST_ROWS = 100;

interface Wish {
  page?: number;
  limit?: number;
}

/** `usual` is the default number of rows on a page. */
export function paged<T>(all: readonly T[], wish: Wish, usual = 50) {
  const page = Math.max(wish.page ?? 1, 1);
  const limit = Math.min(Math.max(wish.limit ?? usual, 1), MOST_ROWS);
  const start = (page - 1) * limit;
  return {
    items: all.slice(start, start + limit),
    pagination: {
      currentPage: page,
      limit,
      totalCount: all.length,
      hasPrevPage: page > 1,
      hasNextPage: start + limit < all.length,
    },
  };
}
