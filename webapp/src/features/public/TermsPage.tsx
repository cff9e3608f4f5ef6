import { LEGAL_UPDATED, TermsText } from '@/shared/legal';
import { PublicPage } from './PublicPage';

export default function TermsPage() {
  return (
    <PublicPage path="/terms" heading="Terms & Conditions" updated={LEGAL_UPDATED.terms}>
      <TermsText />
    </PublicPage>
  );
}
