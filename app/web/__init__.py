"""The web room: pages, forms and the API over one service. It judges nothing and stores nothing."""
