import { Tabs } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { PageHeading } from '@/shared/ui/PageHeading';
import classes from './Billing.module.css';
import { Ledger } from './Ledger';
import { Subscriptions } from './Subscriptions';

/** Billing events and subscriptions. */
export default function BillingPage() {
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') === 'subscriptions' ? 'subscriptions' : 'ledger';
  return (
    <>
      <PageHeading title="Billing">Purchases, renewals, failed payments and grants, and who has Pro.</PageHeading>
      <Tabs value={tab} onChange={(next) => setParams(next === 'subscriptions' ? { tab: next } : {})}>
        <Tabs.List>
          <Tabs.Tab value="ledger">Ledger</Tabs.Tab>
          <Tabs.Tab value="subscriptions">Subscriptions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="ledger" className={classes.panel}>
          {tab === 'ledger' && <Ledger />}
        </Tabs.Panel>
        <Tabs.Panel value="subscriptions" className={classes.panel}>
          {tab === 'subscriptions' && <Subscriptions />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
