import { Link } from 'react-router';
import { useSeriesQuery } from '@/api/series';
import { seriesPath } from '@/shared/series/paths';
import { ifKnown } from '@/shared/ui/Loaded';
import textLink from '@/shared/ui/textLink.module.css';

/** The series that an event is one of. */
export function PartOfSeries({ seriesId }: { seriesId: string }) {
  const name = ifKnown(useSeriesQuery(seriesId))?.series.name;
  return (
    <span>
      Part of{' '}
      <Link to={seriesPath(seriesId)} className={textLink.link}>
        {name ?? 'a series'}
      </Link>
    </span>
  );
}
