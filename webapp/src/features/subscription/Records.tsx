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
