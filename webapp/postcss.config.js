// Mantine's stylesheets and ours use its functions (rem, light-dark) and breakpoints.
export default {
  plugins: {
    'postcss-preset-mantine': {},
    'postcss-simple-vars': {
      variables: {
        'header-breakpoint': '768px',
        'sidebar-breakpoint': '800px',
      },
    },
  },
};
