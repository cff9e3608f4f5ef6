import { Button } from '@mantine/core';
import type { components } from '@/api/schema';
import classes from './Pager.module.css';

interface PagerProps {
  /** What is paged, for whoever hears the page: `Events`. */
  label: string;
  pagination: components['schemas']['Pagination'];
  /** There may be more than the total says. */
  isAtLeast?: boolean;
  onPage: (page: number) => void;
}

/** The way through a list that comes in pages; nothing to see where there is but one. */
export function Pager({ label, pagination, isAtLeast = false, onPage }: PagerProps) {
  const { currentPage, limit, totalCount, hasPrevPage, hasNextPage } = pagination;
  if (!hasPrevPage && !hasNextPage) return null;
  const pages = Math.max(1, Math.ceil(totalCount / limit));
  return (
    <nav className={classes.pager} aria-label={`Pages of ${label}`}>
      <Button variant="default" disabled={!hasPrevPage} onClick={() => onPage(currentPage - 1)}>
        Previous
      </Button>
      <span role="status">
        Page {currentPage} of {pages}
        {isAtLeast && '+'}
      </span>
      <Button variant="default" disabled={!hasNextPage} onClick={() => onPage(currentPage + 1)}>
        Next
      </Button>
    </nav>
  );
}
