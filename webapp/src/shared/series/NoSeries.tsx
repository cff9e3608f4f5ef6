import type { ReactNode } from 'react';
import { EmptyList } from '@/shared/ui/EmptyList';
import { PageHeading } from '@/shared/ui/PageHeading';

interface NoSeriesProps {
  back: { to: string; label: string };
  children?: ReactNode;
}

/** In place of a series that does not exist. */
export function NoSeries({ back, children }: NoSeriesProps) {
  return (
    <>
      <PageHeading title="Series" back={back} />
      <EmptyList>
        <p role="alert">Series not found.</p>
        {children}
      </EmptyList>
    </>
  );
}
