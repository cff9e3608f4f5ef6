import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { errorText } from '@/api/base';
import {
  type Series,
  useDeleteSeriesMutation,
  useEndSeriesMutation,
  useSeriesQuery,
  useUpdateSeriesMutation,
} from '@/api/series';
import { EventCards } from '@/shared/eventDesk/EventCards';
import { useEventListUpdates } from '@/shared/events/useEventUpdates';
import { NoSeries } from '@/shared/series/NoSeries';
import { ADMIN_SERIES_PATH, seriesPath } from '@/shared/series/paths';
import { scheduleText } from '@/shared/series/schedule';
import buttons from '@/shared/ui/buttons.module.css';
import { Card } from '@/shared/ui/Card';
import { ConfirmDialog } from '@/shared/ui/ConfirmDialog';
import { Loaded } from '@/shared/ui/Loaded';
import { PageHeading } from '@/shared/ui/PageHeading';
import { toast } from '@/shared/ui/toast';
import classes from './SeriesForm.module.css';
import { seriesChanges, seriesFieldsOf, templateFieldsOf } from './seriesForm';
import { SeriesForm } from './SeriesForm';

const BACK = { to: ADMIN_SERIES_PATH, label: 'Back to all series' };

/** A series, for admins: what it is, its events, and its end. */
export default function EditSeriesPage() {
  const { seriesId = '' } = useParams();
  const answer = useSeriesQuery(seriesId, { refetchOnMountOrArgChange: true });
  useEventListUpdates();
  return (
    <Loaded of={answer} loading="Loading series..." failure="Failed to load series" missing={<NoSeries back={BACK} />}>
      {({ series, upcoming, past }) => (
        <>
          <PageHeading title={series.name} back={BACK}>
            {series.endedAt === undefined ? scheduleText(series) : 'This series has ended and creates no more events.'}
          </PageHeading>
          <Actions series={series} hasEvents={upcoming.length + past.length > 0} />
          <div className={classes.parts}>
            {upcoming.length > 0 && (
              <Card title="Upcoming events">
                <EventCards events={upcoming} heading="h3" />
              </Card>
            )}
            {series.endedAt === undefined && <Edit series={series} />}
          </div>
        </>
      )}
    </Loaded>
  );
}

function Edit({ series }: { series: Series }) {
  // The server's values when editing began: changes are computed against them.
  const [before] = useState(series);
  const [saved, setSaved] = useState(before);
  const [update, { isLoading }] = useUpdateSeriesMutation();
  return (
    <SeriesForm
      series={seriesFieldsOf(before)}
      template={templateFieldsOf(before)}
      submit="Save Changes"
      note="Changes apply to events that do not exist yet. Existing events stay as they are; change or cancel each one separately."
      isBusy={isLoading}
      onSubmit={async (fields, template) => {
        const { data, error } = await update({
          seriesId: series.seriesId,
          ...seriesChanges(saved, fields, template),
        });
        if (data === undefined) return error;
        setSaved(data.series);
        toast.success('Changes saved.');
        return undefined;
      }}
    />
  );
}

function Actions({ series, hasEvents }: { series: Series; hasEvents: boolean }) {
  const { seriesId, endedAt } = series;
  const [question, setQuestion] = useState<'end' | 'delete' | null>(null);
  const [end, ending] = useEndSeriesMutation();
  const [remove, removing] = useDeleteSeriesMutation();
  const navigate = useNavigate();

  const confirm = async () => {
    const { error } = question === 'end' ? await end(seriesId) : await remove(seriesId);
    setQuestion(null);
    if (error !== undefined) toast.error(errorText(error, 'This did not work. Please try again.'));
    else if (question === 'end') toast.success('The series has ended.');
    else {
      toast.success('Series deleted.');
      await navigate(ADMIN_SERIES_PATH);
    }
  };

  return (
    <div className={classes.actions}>
      <Link to={seriesPath(seriesId)} className={buttons.button}>
        Public page
      </Link>
      {endedAt === undefined && (
        <Button variant="danger" onClick={() => setQuestion('end')}>
          End Series
        </Button>
      )}
      {!hasEvents && (
        <Button variant="danger" onClick={() => setQuestion('delete')}>
          Delete Series
        </Button>
      )}
      <ConfirmDialog
        title={question === 'delete' ? 'Delete this series?' : 'End this series?'}
        opened={question !== null}
        confirm={question === 'delete' ? 'Delete Series' : 'End Series'}
        keep="Keep It"
        isBusy={ending.isLoading || removing.isLoading}
        onConfirm={() => void confirm()}
        onKeep={() => setQuestion(null)}
      >
        <p>
          {question === 'delete'
            ? 'It has made no event yet, so nothing else is lost.'
            : 'It creates no more events, and cannot be continued later. Existing events still take place unless you cancel them. Its page and table stay.'}
        </p>
      </ConfirmDialog>
    </div>
  );
}
