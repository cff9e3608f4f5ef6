import { Button } from '@mantine/core';
import type { components } from '@/api/schema';
import classes from './Pager.module.css';

interface PagerProps {
  /** What is paged, for screen readers: `Events`. */
  label: string;
  pagination: components['schemas']['Pagination'];
  /** The total is a lower bound. */
  isAtLeast?: boolean;
  onPage: (page: number) => void;
}

/** The pagination of a list; nothing if there is only one page. */
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
