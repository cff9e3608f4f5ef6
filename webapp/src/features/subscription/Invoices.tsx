import { useState } from 'react';
import { errorText } from '@/api/base';
import { useInvoicesQuery } from '@/api/subscription';
import { LoadFailure } from '@/shared/ui/LoadFailure';
import { Pager } from '@/shared/ui/Pager';
import textLink from '@/shared/ui/textLink.module.css';
import classes from './Membership.module.css';
import { priceText } from '@/shared/plan/price';
import { day } from './times';

const PAGE = 10;

/** The invoices, newest first. */
export function Invoices() {
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useInvoicesQuery({ page, limit: PAGE }, { refetchOnMountOrArgChange: true });
  if (data === undefined) {
    return error === undefined ? (
      <p role="status">Loading invoices...</p>
    ) : (
      <LoadFailure text={errorText(error, 'GET request failed')} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      {data.invoices.length === 0 && <p>There are none yet.</p>}
      <ul className={classes.rows} aria-label="Invoices">
        {data.invoices.map(({ invoiceId, amount, currency, status, createdAt, url }) => (
          <li key={invoiceId} className={classes.row}>
            <p className={classes.what}>
              <strong>{priceText(amount, currency)}</strong>
              <span className={classes.soft}>{day(createdAt)}</span>
            </p>
            <span className={classes.status}>{status}</span>
            {url !== undefined && (
              <a
                href={url}
                target="_blank"
                rel="noreferrer"
                className={textLink.link}
                aria-label={`Open the invoice of ${day(createdAt)}`}
              >
                Open
              </a>
            )}
          </li>
        ))}
      </ul>
      <Pager label="invoices" pagination={data.pagination} onPage={setPage} />
    </>
  );
}
