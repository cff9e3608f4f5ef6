import { useInvoicesQuery } from '@/api/subscription';
import { Card } from '@/shared/ui/Card';
import { Invoices } from './Invoices';
import { PaymentMethods } from './PaymentMethods';

/** What the provider keeps of somebody: cards, and what was charged. */
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

/** What is left of an earlier plan: its invoices, and cards that one may want to be forgotten. */
export function PastRecords() {
  const { data } = useInvoicesQuery({ page: 1, limit: 1 });
  return data?.pagination.totalCount ? <Records /> : null;
}
