import { LEGAL_UPDATED, CookiesText } from '@/shared/legal';
import { PublicPage } from './PublicPage';

export default function CookiesPage() {
  return (
    <PublicPage path="/cookies" heading="Cookies Policy" updated={LEGAL_UPDATED.cookies}>
      <CookiesText />
    </PublicPage>
  );
}
