import { TermsText } from '@/shared/legal';
import { PublicPage } from './PublicPage';

export default function TermsPage() {
  return (
    <PublicPage path="/terms" heading="Terms & Conditions">
      <TermsText />
    </PublicPage>
  );
}
