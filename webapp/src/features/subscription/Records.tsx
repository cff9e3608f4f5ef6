import { useInvoicesQuery } from '@/api/subscription';
import { Card } from '@/shared/ui/Card';
import { Invoices } from './Invoices';
import { PaymentMethods } from './PaymentMethods';

/** Payment methods and invoices. */
export function Records() {
  return (
    <>
      <Card title="Payment methods">
        <PaymentMethods />
      </Card>
      <Card title="Invoices">
        <Invoices />
      </Card>
    </>
  );
}

/** Invoices and payment methods of an earlier plan. */
export function PastRecords() {
  const { data, error } = useInvoicesQuery({ page: 1, limit: 1 });
  // The lists say what could not be loaded.
  return data?.pagination.totalCount || error !== undefined ? <Records /> : null;
}
