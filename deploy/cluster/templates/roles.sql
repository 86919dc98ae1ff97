-- Run once, as postgres on the primary.
create role dropwright login password '${owner_password}';
create role dropwright_serving login password '${serving_password}';
create database dropwright owner dropwright;
