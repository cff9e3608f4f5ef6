/** Pages of lists, as the server cuts them. */

const PAGE = 50;

export function paged<T>(all: readonly T[], { page = 1, limit = PAGE }: { page?: number; limit?: number }) {
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
