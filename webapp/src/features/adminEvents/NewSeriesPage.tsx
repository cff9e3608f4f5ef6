import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCreateSeriesMutation } from '@/api/series';
import { NEW_EVENT } from '@/shared/eventDesk/eventForm';
import { ADMIN_SERIES_PATH, seriesDeskPath } from '@/shared/series/paths';
import { PageHeading } from '@/shared/ui/PageHeading';
import { toast } from '@/shared/ui/toast';
import { NEW_SERIES, plainFields, templateOf } from './seriesForm';
import { SeriesForm } from './SeriesForm';

/** Makes a series. */
export default function NewSeriesPage() {
  const [fields] = useState(NEW_SERIES);
  const [create, { isLoading }] = useCreateSeriesMutation();
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title="New Series" back={{ to: ADMIN_SERIES_PATH, label: 'Back to all series' }}>
        Events on a schedule, with one table for all of them.
      </PageHeading>
      <SeriesForm
        series={fields}
        template={NEW_EVENT}
        submit="Create Series"
        note="Its first events are made and published at once, for everybody to sign up."
        isBusy={isLoading}
        onSubmit={async (series, template) => {
          const { data, error } = await create({ ...plainFields(series), template: templateOf(template) });
          if (data === undefined) return error;
          toast.success('Series created.');
          await navigate(seriesDeskPath(data.series.seriesId));
          return undefined;
        }}
      />
    </>
  );
}
