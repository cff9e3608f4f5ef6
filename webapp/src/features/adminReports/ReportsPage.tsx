import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useListReportsQuery } from '@/api/admin';
import { errorText } from '@/api/base';
import { EmptyList } from '@/shared/ui/EmptyList';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { PageHeading } from '@/shared/ui/PageHeading';
import { Pager } from '@/shared/ui/Pager';
import { ReportEntry } from './ReportEntry';
import classes from './ReportsPage.module.css';

const PAGE = 25;

type State = 'open' | 'closed';

/** What players reported about each other. */
export default function ReportsPage() {
  const [params, setParams] = useSearchParams();
  const state: State = params.get('state') === 'closed' ? 'closed' : 'open';
  return (
    <>
      <PageHeading title="Reports">Reports about players, newest first.</PageHeading>
      <Tabs value={state} onChange={(next) => setParams(next === 'closed' ? { state: next } : {})}>
        <Tabs.List>
          <Tabs.Tab value="open">Open</Tabs.Tab>
          <Tabs.Tab value="closed">Closed</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="open" className={classes.panel}>
          {state === 'open' && <Reports state="open" />}
        </Tabs.Panel>
        <Tabs.Panel value="closed" className={classes.panel}>
          {state === 'closed' && <Reports state="closed" />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Reports({ state }: { state: State }) {
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  const { data, error, refetch } = useListReportsQuery(
    { state, page, limit: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading reports...</p>
    ) : (
      <LoadFailure text={errorText(error, 'Failed to load reports')} onRetry={() => void refetch()} />
    );
  }
  const toPage = (next: number) =>
    setParams({ ...(state === 'closed' ? { state } : {}), ...(next === 1 ? {} : { page: String(next) }) });
  return (
    <>
      {data.reports.length === 0 ? (
        <EmptyList>
          <p role="status">{state === 'open' ? 'No open reports.' : 'No report was closed yet.'}</p>
        </EmptyList>
      ) : (
        <ul aria-label={state === 'open' ? 'Open reports' : 'Closed reports'}>
          {data.reports.map((report) => (
            <ReportEntry key={report.reportId} report={report} />
          ))}
        </ul>
      )}
      <Pager label="reports" pagination={data.pagination} onPage={toPage} />
    </>
  );
}
